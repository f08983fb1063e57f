import 'server-only'
import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '@/lib/server/errors/error-code'
import { StartError } from '@/lib/server/errors/start-error'
import { makeDirectory } from '@/lib/server/settings/make-directory'
import { secretsOf, whyNoSecrets } from '@/lib/server/settings/secret-list'

export type Secrets = readonly [string, ...string[]]

/** Where the secrets come from: SLICEBOARD_SECRET, or null for a file in the data directory. */
export type SecretSource = { secret: string | null; dataDirectory: string }

const FILE = 'session-secret'

export const secretFile = ({ dataDirectory }: Pick<SecretSource, 'dataDirectory'>): string =>
  join(dataDirectory, FILE)

/** Written under another name and then linked: no process reads half of it, and of two processes the first wins. */
const createFile = async (path: string): Promise<void> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(48).toString('base64url')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await link(draft, path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
  await rm(draft)
}

const readFileIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw new StartError(
      `${path} cannot be read (${errorCode(error) ?? String(error)}): it holds the secret of this console. Make it readable for the user that runs the console.`,
    )
  }
}

const checked = (text: string, where: string): Secrets => {
  const why = whyNoSecrets(text)
  const [first, ...others] = secretsOf(text)
  if (why !== null || first === undefined) throw new StartError(`${where} ${why}.`)
  return [first, ...others]
}

/** The secrets that are configured, newest first; null where the file is yet to be created. Nothing is written. */
export const readSecrets = async ({ secret, dataDirectory }: SecretSource): Promise<Secrets | null> => {
  if (secret !== null) return checked(secret, 'SLICEBOARD_SECRET')
  const path = secretFile({ dataDirectory })
  const text = await readFileIfThere(path)
  if (text === null) return null
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) {
    throw new StartError(
      `${path} can be read by others than its owner (mode ${(mode & 0o777).toString(8)}), but it encrypts Keystone tokens: run "chmod 600 ${path}".`,
    )
  }
  return checked(text, path)
}

/**
 * The secrets that encrypt what the database stores of credentials, newest first. Without SLICEBOARD_SECRET a file in the
 * data directory is created at the first start.
 */
export const loadSecrets = async (source: SecretSource): Promise<Secrets> => {
  const present = await readSecrets(source)
  if (present !== null) return present
  await makeDirectory(source.dataDirectory)
  await createFile(secretFile(source))
  return loadSecrets(source)
}
