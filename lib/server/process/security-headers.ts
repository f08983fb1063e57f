import 'server-only'

/** On every answer. */
export const COMMON_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Strict-Transport-Security, where the console's own address is https: browsers believe it over TLS alone. */
export const TLS_ONLY = 'max-age=63072000; includeSubDomains'

/** For what is never a page. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** For files of the build: the worker among them loads the others that it is made of, and nothing else. */
export const STATIC_POLICY = `${API_POLICY}; script-src 'self'`

/**
 * For pages. Next finds the nonce in this header on the request and puts it on its scripts. Style attributes (bars,
 * virtual rows) cannot carry a nonce, so they alone are free. In development React needs eval, and the bundler writes
 * style elements and talks over a web socket.
 */
export const pagePolicy = ({ nonce, isDevelopment }: { nonce: string; isDevelopment: boolean }): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    isDevelopment ? "connect-src 'self' ws:" : "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
