import 'server-only'
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Query } from '../database/database'

/** Failed sign-ins that may come at once, and the seconds until one more may. */
export const SIGN_IN_ALLOWANCES = {
  name: { burst: 8, pauseSeconds: 60 },
  address: { burst: 40, pauseSeconds: 6 },
} as const

type Kind = keyof typeof SIGN_IN_ALLOWANCES
type Request = { kind: Kind; what: string; now: Date }

/**
 * Names that Keystone's database takes for the same one: MySQL's collations know neither case, nor accents, nor spaces at the
 * end.
 */
const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\s]/gu, '')
    .toLowerCase()

/** What one customer of a provider has at least: all of 2⁶⁴ IPv6 addresses count as one. */
const NETWORK_GROUPS = 4

const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const [left, right] = [groups(head), groups(tail ?? '')]
  const filled = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return filled
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** What people typed as a name is not stored: at times it is their password. */
const keyOf = ({ kind, what }: Request): string => {
  const one = kind === 'name' ? foldName(what) : networkOf(what)
  return `${kind}:${createHash('sha256').update(one).digest('base64url')}`
}

const TAKE = `
INSERT INTO sign_in_allowance AS a (key, full_at)
VALUES ($1, $2::timestamptz + make_interval(secs => $3::float8))
ON CONFLICT (key) DO UPDATE
  SET full_at = GREATEST(a.full_at, $2::timestamptz) + make_interval(secs => $3::float8)
  WHERE GREATEST(a.full_at, $2::timestamptz) <= $2::timestamptz + make_interval(secs => $3::float8 * ($4::int - 1))
RETURNING key`

const GIVE_BACK = `
UPDATE sign_in_allowance SET full_at = full_at - make_interval(secs => $2::float8) WHERE key = $1`

const FORGET_FULL = `DELETE FROM sign_in_allowance WHERE full_at < $1::timestamptz`

/** Takes one; 0 when it was there, else the seconds after which it is worth trying again. Shared by all replicas. */
export const takeSignIn = async (query: Query, request: Request): Promise<number> => {
  const { burst, pauseSeconds } = SIGN_IN_ALLOWANCES[request.kind]
  const key = keyOf(request)
  const taken = await query(TAKE, [key, request.now, pauseSeconds, burst])
  if (taken.length > 0) return 0
  const [row] = await query<{ fullAt: Date }>(
    'SELECT full_at AS "fullAt" FROM sign_in_allowance WHERE key = $1',
    [key],
  )
  const waitMs = (row?.fullAt ?? request.now).getTime() - request.now.getTime()
  return Math.max(1, Math.ceil(waitMs / 1000 - pauseSeconds * (burst - 1)))
}

/** An attempt that was no wrong guess costs nothing. */
export const giveBackSignIn = async (query: Query, request: Request): Promise<void> => {
  await query(GIVE_BACK, [keyOf(request), SIGN_IN_ALLOWANCES[request.kind].pauseSeconds])
}

export const forgetFullAllowances = async (query: Query, now: Date): Promise<void> => {
  await query(FORGET_FULL, [now])
}
