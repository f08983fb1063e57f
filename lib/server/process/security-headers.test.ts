import { expect, test } from 'vitest'
import { API_POLICY, COMMON_HEADERS, pagePolicy, STATIC_POLICY } from './security-headers'

/** Directive by directive, so that none goes or becomes wider without being seen here. */
const directivesOf = (policy: string): Record<string, string> =>
  Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )

test('a page may load from its own origin, run scripts with its nonce, and not be framed', () => {
  expect(directivesOf(pagePolicy({ nonce: 'once', isDevelopment: false }))).toEqual({
    'default-src': "'self'",
    'script-src': "'self' 'nonce-once' 'strict-dynamic'",
    'style-src': "'self' 'nonce-once'",
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' blob: data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })
})

test('what is no page may load nothing at all, and a file of the build scripts of the build', () => {
  const nothing = {
    'default-src': "'none'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
  }
  expect(directivesOf(API_POLICY)).toEqual(nothing)
  expect(directivesOf(STATIC_POLICY)).toEqual({ ...nothing, 'script-src': "'self'" })
})

test('each answer keeps to itself what it is, where it is from, and what the browser can do', () => {
  expect(COMMON_HEADERS).toEqual({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  })
})
