/**
 * Drops tracking and session parameters from the query, and the order of a folder listing; the others keep their order. Called by
 * `canonicalUrl` alone.
 */
export function withoutTracking(url: string): string {
  const query = url.indexOf('?')
  if (url.charCodeAt(query + 1) === CAPITAL_C && LISTING_ORDER.test(url.slice(query + 1))) return url.slice(0, query)
  if (query < 0 || !ANY_TRACKING.test(url.slice(query))) return url
  const kept = url
    .slice(query + 1)
    .split('&')
    .filter((parameter) => !TRACKING_PARAMETER.test(parameter))
  const path = url.slice(0, query)
  return kept.length === 0 || (kept.length === 1 && kept[0] === '') ? path : `${path}?${kept.join('&')}`
}

/** Drops session ids from the path: behind a semicolon (`;jsessionid=…`), or a segment in brackets (`/(S(…))/`). Called by `canonicalUrl` alone. */
export function withoutPathSession(path: string): string {
  return path.replace(PATH_SESSION, '').replace(SEGMENT_SESSION, '')
}

const CAPITAL_C = 67
/** Links at the head of a folder listing, as web servers make it: column and order. Each folder would be eight pages more. */
const LISTING_ORDER = /^C=[DMNS](?:[;&]O=[AD])?$/

/** Parameters that identify the visit or its source, never the page. */
const TRACKING_NAMES =
  'utm_[a-z0-9_]*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|fb_action_ids|fb_action_types|fb_source|msclkid|yclid|ysclid|twclid|ttclid|' +
  'igshid|igsh|li_fat_id|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|__hssc|__hstc|__hsfp|hsctatracking|vero_id|vero_conv|' +
  'oly_anon_id|oly_enc_id|_openstat|wickedid|rb_clickid|s_cid|srsltid|ml_subscriber|ml_subscriber_hash|mtm_[a-z]+|pk_[a-z]+|piwik_[a-z]+|' +
  '_branch_match_id|epik|cmpid|icid|phpsessid|jsessionid|aspsessionid[a-z]*|asp\\.net_sessionid|cfid|cftoken|sessionid|session_id|' +
  'sess_id|sessid|zenid|oscsid|osc_sid'
/** Session parameters only when their value looks like a token. */
const TOKEN_NAMES = 'sid|s|session|ssid'
const TRACKING_PARAMETER = new RegExp(`^(?:(?:${TRACKING_NAMES})(?:=|$)|(?:${TOKEN_NAMES})=(?=[^&]*\\d)[0-9a-z_-]{20,}$)`, 'i')
const ANY_TRACKING = new RegExp(`[?&](?:${TRACKING_NAMES}|${TOKEN_NAMES})(?:[=&]|$)`, 'i')
const PATH_SESSION = /;(?:jsessionid|phpsessid|sid|sessionid)=[^/;?]*/gi
/** What ASP.NET writes for visitors without cookies: ids of the session, the user and the login; version 1 wrote the session's alone. */
const SEGMENT_SESSION = /\/\((?:(?:[AFSX]\([\w-]+\))+|[a-z0-5]{24})\)(?=\/)/g
