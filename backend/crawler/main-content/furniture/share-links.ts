/** Links and icons for sharing a page. The URLs of such links are the same on all sites, whatever the classes and language of the site. */
import { attributeOf, type ElementNode } from '#backend/crawler/html/html-tree.ts'
import { firstPicture } from './site-marks.ts'

/** Every share link contains one of these: a cheap check before `SHARE`. */
const MAYBE = /shar|intent|submit|pin\/create|save|\/add|\/send|post|mailto:\?|sms:|R\/msg|bookmark|st\.cmd|forward/i

/**
 * The documented URLs, without `https://` and `www.`, of: Facebook, X, LinkedIn, Pinterest, Reddit, Tumblr, WhatsApp, Telegram, VK,
 * Odnoklassniki, Pocket, Flipboard, Mix, Digg, StumbleUpon, Hacker News, LINE, Hatena, Xing, Weibo, QQ, Buffer, Instapaper, Bluesky, Threads,
 * AddToAny, AddThis, PrintFriendly and Google.
 */
const SHARE =
  /^(?:https?:)?\/\/(?:[\w-]+\.)?(?:facebook\.com\/(?:sharer|share\.php|dialog\/(?:share|feed|send))|(?:twitter|x)\.com\/(?:intent\/(?:tweet|post)|share(?:[/?]|$)|home\/?\?status=)|linkedin\.com\/(?:shareArticle|sharing\/|cws\/share|feed\/\?shareActive)|pinterest\.[a-z.]{2,6}\/pin\/create|reddit\.com\/(?:r\/\w+\/)?submit|tumblr\.com\/(?:share|widgets\/share)|whatsapp\.com\/send|(?:t|telegram)\.me\/share|(?:vk\.com|vkontakte\.ru)\/share\.php|ok\.ru\/(?:offer|dk\?st\.cmd=addShare)|getpocket\.com\/(?:save|edit)|flipboard\.com\/bookmarklet|mix\.com\/add|digg\.com\/submit|stumbleupon\.com\/submit|ycombinator\.com\/submitlink|line\.me\/(?:R\/msg|lineit\/share)|hatena\.ne\.jp\/(?:add|entry\/panel)|xing\.com\/(?:spi\/shares|app\/user\?op=share)|weibo\.com\/share|qq\.com\/(?:widget\/shareqq|cgi-bin\/qzshare)|buffer(?:app)?\.com\/add|instapaper\.com\/(?:edit|hello2)|bsky\.app\/intent|threads\.net\/intent|addtoany\.com\/(?:share|add_to)|addthis\.com\/bookmark|printfriendly\.com\/print|plus\.google\.com\/share)|^(?:\/\/|https:\/\/)wa\.me\/\?|^(?:mailto:\?|sms:[?;&]|whatsapp:\/\/send|fb-messenger:\/\/share|viber:\/\/forward|tg:\/\/msg)/i

/** Links with longer texts are quotations to be shared. */
const MOST_LABEL = 40

/** Is a link a button that shares or bookmarks the page? A link around a picture of the article is not. */
export function isShareLink(link: ElementNode): boolean {
  const href = attributeOf(link, 'href')
  if (href === undefined || link.textLength > MOST_LABEL || !MAYBE.test(href) || !SHARE.test(href.trim())) return false
  const picture = link.textLength === 0 ? firstPicture(link) : null
  return picture === null || BUTTON.test(attributeOf(picture, 'src') ?? '')
}

/** Parts of the URLs of buttons. */
const BUTTON = /^\s*(?:data:|$)|\.svg(?:[?#]|$)|pin-?it|icon|ico[-_./]|btn|button|badge|logo|share|social/i

const SERVICE =
  /(?:^|[-_.])(?:facebook|fb|twitter|google(?:plus)?|gplus|linkedin|pinterest|reddit|whatsapp|telegram|tumblr|xing|share|print|e?mail)(?:[-_.]|$)/i
const ICON = /(?:^|[-_./])(?:icons?|ico|btn|buttons?|share|social(?:media)?|sprite)(?:[-_./]|$)/i

/** Is a picture the icon of a button for sharing, by the name of its file? */
export function isShareIcon(picture: ElementNode): boolean {
  const path = (attributeOf(picture, 'src') ?? '').split(/[?#]/, 1)[0]!
  const file = path.slice(path.lastIndexOf('/') + 1)
  return file.length < 60 && SERVICE.test(file) && ICON.test(path)
}
