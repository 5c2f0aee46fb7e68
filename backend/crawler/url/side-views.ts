/**
 * URLs that lead to no page of their own: forms to log in, edit or reply, actions of shops, and other views of a page or list. They are known
 * by the spellings of common software, so some stay unknown; and a page may be taken for one of them. So they are never dropped, but come
 * after all others (`frontier/rank.ts`).
 */

/** Parameters that only such URLs have, whatever their value. */
const PARAMETERS = [
  'replytocom', // WordPress
  'share',
  '_wpnonce',
  'redirect_to',
  'add-to-cart', // WooCommerce
  'add_to_wishlist',
  'remove_item',
  'undo_item',
  'ical', // The Events Calendar
  'outlook-ical',
  'oldid', // MediaWiki
  'diff',
  'redlink',
  'returnto',
  'printable',
  'sort', // orders of a list
  'sort_?by',
  'sort_?order',
  'sort_?dir',
  'order_?by',
  'order_?dir',
  'product_list_(?:dir|mode|order)', // Magento
]
/** Parameters that only such URLs have with one of these values. */
const VALUES = [
  'action=(?:delete|edit|history|info|log[io]n|logout|lostpassword|post|print|printpage|protect|purge|quote|raw|register|render|reply|report|signup|submit|watch)',
  'mode=(?:delete|edit|grid|list|login|logout|post|privacy|quote|register|reply|report|sendpassword|terms)',
  'do=(?:backlink|diff|edit|index|login|logout|media|newreply|newthread|printthread|recent|register|resendpwd|revisions|sendtofriend)',
  'view=(?:grid|list|next|previous|print|printable|unread)',
  'print=(?:1|print|true|y|yes)',
  'dir(?:ection)?=(?:asc|desc|ascending|descending)',
  'order=[a-z_.-]+',
  'tmpl=component', // Joomla: for printing and mailing
  // The page to which a form returns.
  '(?:back|continue|destination|next|redirect|return|return_?(?:to|url))=(?:/|%2F|https?:|https?%3A)[^&]*',
]
const SIDE_PARAMETER = new RegExp(`[?&;](?:(?:${PARAMETERS.join('|')})=[^&;]*|${VALUES.join('|')}|print)(?=[&;]|$)`, 'i')

/** Forms of accounts, at the top of a site, of a language or of the part for accounts: elsewhere they may be what an article is about. */
const ACCOUNT_PATH =
  /^\/(?:[a-z]{2}(?:[-_][A-Za-z]{2})?\/)?(?:(?:[Aa]ccounts?|auth|customer\/account|members?|users?)\/)?(?:[Ll]ogin|logout|log-(?:in|out)|sign[-_]?(?:in|out|up)|[Rr]egister|create|(?:forgot|lost|reset)[-_]?password|password)(?:\.[a-z]+)?\/?$/
/** Parts of paths. */
const PATHS = [
  'wp-(?:login\\.php|admin/|json/)',
  'xmlrpc\\.php$',
  '[^/]+/(?:amp|embed|feed|trackback)/?$',
  'comment/reply/\\d',
  'print(?:/node)?/\\d+$',
  'print(?:mail|pdf)/',
  '(?:catalog/product_compare|wishlist/index|checkout/cart)/add/', // Magento
  'sendfriend/product/send/',
  '(?:memberlist|newreply|newthread|posting|printthread|report|search|sendmessage|showpost|ucp)\\.php$', // phpBB, vBulletin
]
const SIDE_PATH = new RegExp(`/(?:${PATHS.join('|')})`)
/** The special pages of a wiki, in the languages with the most wikis. */
const SPECIAL_PAGE = /(?:\/|[?&]title=)(?:Special|Spezial|Especial|Speciale|Speciaal|Specjalna|Sp%C3%A9cial)(?::|%3A)/
/** A single post of a topic: the topic has its text. */
const TOPIC_PATH = /\/(?:viewtopic|showthread)\.php$/
const POST = /[?&;]p(?:ost)?=\d/

/** The number of a page of a list: it leads to further entries, in whatever order. */
const PAGE_NUMBER = /[?&;](?:cursor|from|limitstart|offset|p|page|page_?(?:index|no|num|number)|paged|pg|start)=\d/i

/** Whether a URL looks like an action or another view of a page, as the software of common sites spells them. */
export function isSideView(canonical: string): boolean {
  const pathStart = canonical.indexOf('/', canonical.indexOf('://') + 3)
  const query = canonical.indexOf('?', pathStart)
  const path = canonical.slice(pathStart, query < 0 ? canonical.length : query)
  if (ACCOUNT_PATH.test(path) || SIDE_PATH.test(path) || SPECIAL_PAGE.test(canonical)) return true
  if (query < 0) return false
  const parameters = canonical.slice(query)
  if (TOPIC_PATH.test(path) && POST.test(parameters)) return true
  return SIDE_PARAMETER.test(parameters) && !PAGE_NUMBER.test(parameters)
}
