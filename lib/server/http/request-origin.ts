import 'server-only'
import type { Env } from '@/lib/server/settings/env'

/** The console's address: SLICEBOARD_URL, or as the caller reached it. */
export const requestOrigin = ({ url }: Pick<Env, 'url'>, host: string | null | undefined): string =>
  url ?? `http://${host ?? 'localhost'}`
