import 'server-only'

/** The console's address as the caller reached it. Plain HTTP until the console speaks TLS or knows a proxy in front. */
export const requestOrigin = (host: string | null | undefined): string => `http://${host ?? 'localhost'}`
