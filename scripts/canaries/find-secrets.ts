import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { constants, gunzipSync, inflateRawSync } from 'node:zlib'

/**
 * Every secret of the console has its own form, and the simulated Keystone's tokens have Fernet's: so the tests' own
 * secrets are the canaries. A session's id has none, and is known by the name of its cookie.
 */
const FORMS: readonly [name: string, form: RegExp][] = [
  ['join token', /sbjt_[A-Za-z0-9_-]{43}/],
  ['credential of an agent', /sbac_\d+_[A-Za-z0-9_-]{43}/],
  ['API token', /sbat_[A-Za-z0-9_-]{43}/],
  ['secret of a webhook', /sbws_[A-Za-z0-9_-]{43}/],
  ['cookie of a session', /sliceboard-session=[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/],
  ['private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/],
  ['token of Keystone', /gAAAAAB[A-Za-z0-9_-]{80}/],
]

/** A file that a killed process left unfinished is read as far as it goes. */
const AS_FAR_AS_IT_GOES = { finishFlush: constants.Z_SYNC_FLUSH }

export type FoundSecret = { file: string; what: string }

/** Local file header of a zip (APPNOTE 4.3.7), as Playwright's traces have it. */
const ZIP_ENTRY = Buffer.from('PK\u0003\u0004')

/** What a zip packs, entry by entry; one whose size follows it is inflated as far as it goes. */
const unzipped = (bytes: Buffer): string[] => {
  const texts: string[] = []
  for (let at = bytes.indexOf(ZIP_ENTRY); at >= 0; at = bytes.indexOf(ZIP_ENTRY, at + 4)) {
    if (bytes.length < at + 30) break
    const isDeflated = bytes.readUInt16LE(at + 8) === 8
    const begin = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    if (isDeflated) texts.push(inflateRawSync(bytes.subarray(begin), AS_FAR_AS_IT_GOES).toString('latin1'))
  }
  return texts
}

const textsOf = (file: string): string[] => {
  const bytes = readFileSync(file)
  const plain = bytes.toString('latin1')
  if (file.endsWith('.zip')) return [plain, ...unzipped(bytes)]
  return file.endsWith('.gz') ? [gunzipSync(bytes, AS_FAR_AS_IT_GOES).toString('latin1')] : [plain]
}

const filesBelow = (root: string): string[] => {
  if (!existsSync(root)) return []
  if (!statSync(root).isDirectory()) return [root]
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** Secrets in what a run of the tests left in files and folders; the secret itself is not printed. */
export const findSecrets = (roots: readonly string[]): { files: number; found: FoundSecret[] } => {
  const files = roots.flatMap(filesBelow)
  const found = files.flatMap((file) => {
    const texts = textsOf(file)
    return FORMS.flatMap(([what, form]) => (texts.some((text) => form.test(text)) ? [{ file, what }] : []))
  })
  return { files: files.length, found }
}
