import 'server-only'

/** An answer of a sign-in or sign-out; null has no body. */
export const jsonWithCookies = (value: unknown, cookies: readonly string[], status = 200): Response => {
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return value === null
    ? new Response(null, { status: 204, headers })
    : Response.json(value, { status, headers })
}

/** `location` is a path of the console, or Keystone's address. After a form the browser continues with GET. */
export const redirectWithCookies = (location: string, cookies: readonly string[]): Response => {
  const headers = new Headers({ 'cache-control': 'no-store', location })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
