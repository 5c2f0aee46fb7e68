/** Access and refresh tokens: JSON Web Tokens that we sign and verify ourselves. */
import { createHash, createSecretKey, randomUUID } from 'node:crypto'
import { SignJWT, jwtVerify } from 'jose'

const ALGORITHM = 'HS256'
const ISSUER = 'seine'
const AUDIENCE = 'seine api'

export type TokenType = 'access' | 'refresh'
/** The claims of a valid token. `sessionId` is the row of its session. */
export type TokenClaims = { userId: string; sessionId: string; issuedAt: number }

/**
 * Instants are epoch milliseconds; tokens have whole seconds.
 * @param key  a secret used for tokens alone
 */
export function createTokens({ accessSeconds, key, now, refreshSeconds }: TokenNeeds) {
  const secret = createSecretKey(key)
  return { signRefresh, signAccess, read }

  /** Issues a refresh token, with its session's id, which only the holder of the token can compute. */
  async function signRefresh(userId: string): Promise<{ token: string; sessionId: string; expiresAt: number }> {
    const jti = randomUUID()
    const token = await sign('refresh', { user_id: userId }, jti, refreshSeconds)
    return { token, sessionId: sessionIdOf(jti), expiresAt: (Math.floor(now() / 1000) + refreshSeconds) * 1000 }
  }

  function signAccess({ userId, sessionId }: { userId: string; sessionId: string }): Promise<string> {
    return sign('access', { user_id: userId, sid: sessionId }, randomUUID(), accessSeconds)
  }

  /** The claims of a token; null when it is not ours, of the other type, modified, or expired. */
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
      // Any invalid token is treated alike.
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

// The table holds a hash, so that a stolen table reveals no token.
const sessionIdOf = (jti: string) => createHash('sha256').update(jti).digest('base64url')
