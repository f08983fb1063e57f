import 'server-only'

const ALLOWED_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Against DNS rebinding: a page of another site may let its own name point to 127.0.0.1 and would then share our origin.
 * Any port will do, so that a port forwarded by ssh works.
 */
export const isAllowedHost = (host: string | undefined): boolean =>
  host !== undefined && ALLOWED_NAMES.includes(host.toLowerCase().replace(/:\d{1,5}$/, ''))
