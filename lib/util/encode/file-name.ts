import { visible } from './visible'

/** A name without folders, control characters and what Windows refuses. A leading dot, which hides a file, is replaced. */
export const safeFileName = (name: string): string =>
  visible(name)
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^\.+/, '_')

/**
 * The header Content-Disposition of a download (RFC 6266). The name is reduced to printable ASCII without quotes,
 * backslashes and folders for `filename`, and is percent-encoded in `filename*` where that changes it.
 */
export const contentDisposition = (name: string): string => {
  const clean = safeFileName(name)
  const ascii = clean.replace(/[^\x20-\x7e]/gu, '_').replaceAll('%', '_')
  const encoded = encodeURIComponent(clean).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${ascii}"${ascii === clean ? '' : `; filename*=UTF-8''${encoded}`}`
}
