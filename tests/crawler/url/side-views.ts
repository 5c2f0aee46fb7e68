/** Actions and other views of pages, as common software spells their URLs; and pages that look similar. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSideView } from '#backend/crawler/url/side-views.ts'

const views = suite('actions and other views of pages')

const SIDE_VIEWS: [path: string, what: string][] = [
  ['wp-login.php?redirect_to=%2Fa', 'a login of WordPress'],
  ['2026/01/a/?replytocom=7', 'a reply in WordPress'],
  ['2026/01/a/?share=facebook&nb=1', 'a page to share, of Jetpack'],
  ['2026/01/a/feed/', 'the feed of a post'],
  ['2026/01/a/amp', 'the AMP version of a post'],
  ['shop/?orderby=price-desc', 'an order of a list in WooCommerce'],
  ['?add-to-cart=5', 'a cart of WooCommerce'],
  ['event/a/?ical=1', 'a calendar file'],
  ['w/index.php?title=A&action=edit&section=2', 'an editor of MediaWiki'],
  ['w/index.php?title=A&oldid=7', 'an old revision'],
  ['w/index.php?title=Special:UserLogin&returnto=A', 'a login of MediaWiki'],
  ['wiki/Spezial:Linkliste/A', 'a special page of a German wiki'],
  ['doku.php?id=a&do=revisions', 'revisions in DokuWiki'],
  ['ucp.php?mode=login', 'a login of phpBB'],
  ['posting.php?mode=quote&f=1&p=7', 'a reply in phpBB'],
  ['viewtopic.php?f=1&t=2&p=17', 'a post of a topic'],
  ['viewtopic.php?f=1&t=2&view=print', 'a topic for the printer'],
  ['index.php?topic=7.0;action=printpage', 'a topic of SMF for the printer'],
  ['user/login?destination=%2Fnode%2F1', 'a login of Drupal'],
  ['comment/reply/7', 'a reply in Drupal'],
  ['print/7', 'a page of Drupal for the printer'],
  ['catalog/product_compare/add/product/7/uenc/aHR0/', 'a comparison of Magento'],
  ['list.html?dir=asc&order=name', 'an order of a list in Magento'],
  ['index.php?option=com_content&id=1&tmpl=component&print=1', 'a page of Joomla for the printer'],
  ['accounts/login/?next=/a', 'a login of Django'],
  ['sign-in', 'a login'],
  ['de/users/sign_in', 'a login below a language'],
  ['Account/Login', 'a login of ASP.NET'],
  ['a?print', 'a parameter without a value'],
]
for (const [path, what] of SIDE_VIEWS) views(what, () => assert.ok(isSideView(`https://example.com/${path}`), path))

const PAGES: [path: string, what: string][] = [
  ['', 'a start page'],
  ['feed/', 'the feed of a site'],
  ['print/', 'a shop for prints'],
  ['blog/how-to-login', 'an article about logins'],
  ['docs/edit?page=2', 'a manual page about editing'],
  ['viewtopic.php?f=1&t=2', 'a topic'],
  ['viewtopic.php?t=2&start=15', 'the next page of a topic'],
  ['shop/?orderby=date&paged=2', 'the next page of an ordered list'],
  ['index.php?option=com_content&view=article&id=7', 'an article of Joomla'],
  ['index.php?action=view&id=7', 'a page that is named by an action'],
  ['index.php?dir=docs/guide', 'a folder'],
  ['?order=1234', 'an order of a shop'],
  ['?destination=paris', 'a destination of a journey'],
  ['wiki/A_Special:_B', 'a title with a colon'],
  ['docs/login', 'a manual page about logins'],
  ['wiki/Login', 'an article of a wiki with a title like a form'],
]
for (const [path, what] of PAGES) views(`a page: ${what}`, () => assert.not.ok(isSideView(`https://example.com/${path}`), path))

views.run()
