import 'server-only'

/** Whether a client with this Accept-Encoding takes gzip. */
export const takesGzip = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((part) => {
    const [name, ...params] = part.toLowerCase().split(';')
    const isRefused = params.some((param) => /^\s*q=0(\.0*)?\s*$/.test(param))
    return (name?.trim() === 'gzip' || name?.trim() === '*') && !isRefused
  })
