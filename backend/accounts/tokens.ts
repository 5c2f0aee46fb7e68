/** Access and refresh tokens: JSON Web Tokens that we sign and read ourselves. */
import { createHash, createSecretKey, randomUUID } from 'node:crypto'
import { SignJWT, jwtVerify } from 'jose'

const ALGORITHM = 'HS256'
const ISSUER = 'seine'
const AUDIENCE = 'seine api'

export type TokenType = 'access' | 'refresh'
/** What a good token says. `sessionId` is the row of the session that it belongs to. */
export type TokenClaims = { userId: string; sessionId: string; issuedAt: number }

/**
 * @param key  secret of tokens alone
 * Instants are epoch milliseconds; tokens count in whole seconds.
 */
export function createTokens({ accessSeconds, key, now, refreshSeconds }: TokenNeeds) {
  const secret = createSecretKey(key)
  return { signRefresh, signAccess, read }

  /** A refresh token with the id of its session, which only the holder of the token can tell. */
  async function signRefresh(userId: string): Promise<{ token: string; sessionId: string; expiresAt: number }> {
    const jti = randomUUID()
    const token = await sign('refresh', { user_id: userId }, jti, refreshSeconds)
    return { token, sessionId: sessionIdOf(jti), expiresAt: (Math.floor(now() / 1000) + refreshSeconds) * 1000 }
  }

  function signAccess({ userId, sessionId }: { userId: string; sessionId: string }): Promise<string> {
    return sign('access', { user_id: userId, sid: sessionId }, randomUUID(), accessSeconds)
  }

  /** What a token says, or null when it is not ours, not of this type, changed, or past its time. */
  async function read(token: string, type: TokenType): Promise<TokenClaims | null> {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: [ALGORITHM],
        audience: AUDIENCE,
        issuer: ISSUER,
        currentDate: new Date(now()),
        requiredClaims: ['exp', 'iat', 'jti', 'token_type', 'user_id'],
      })
      const { iat = 0, jti = '', sid, token_type: kind, user_id: userId } = payload
      const sessionId = type === 'refresh' ? sessionIdOf(jti) : sid
      return kind === type && typeof userId === 'string' && typeof sessionId === 'string'
        ? { userId, sessionId, issuedAt: iat * 1000 }
        : null
    } catch {
      // Whatever a stranger sends: the reasons for which it is no token of ours are all the same to us.
      return null
    }
  }

  function sign(type: TokenType, claims: Record<string, string>, jti: string, seconds: number): Promise<string> {
    const at = Math.floor(now() / 1000)
    return new SignJWT({ token_type: type, ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setJti(jti)
      .setIssuedAt(at)
      .setExpirationTime(at + seconds)
      .sign(secret)
  }
}

export type Tokens = ReturnType<typeof createTokens>

type TokenNeeds = { accessSeconds: number; key: Buffer; now: () => number; refreshSeconds: number }

// The table holds the hash, so that a stolen one names no token.
const sessionIdOf = (jti: string) => createHash('sha256').update(jti).digest('base64url')
