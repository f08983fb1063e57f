import 'server-only'
import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../error-code'
import { makeDirectory } from '../make-directory'
import { StartError } from '../start-error'

type Secrets = readonly [string, ...string[]]

const FILE = 'session-secret'
const SHORTEST = 32

const secretsOf = (text: string): string[] => text.split(/\s+/).filter((secret) => secret !== '')

/** Made under another name and then linked in: nobody reads half of it, and of two processes at once the first wins. */
const makeFile = async (path: string): Promise<void> => {
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
    throw error
  }
}

const checkLength = (secrets: readonly string[], where: string): Secrets => {
  const [first, ...others] = secrets
  if (first === undefined || secrets.some((secret) => secret.length < SHORTEST)) {
    throw new StartError(
      `${where} must hold one secret of at least ${SHORTEST} characters, or several separated by spaces with the newest first: "openssl rand -base64 48" makes one.`,
    )
  }
  return [first, ...others]
}

/**
 * The secrets that seal Keystone tokens, newest first: from SLICEBOARD_SECRET, else from a file in the data directory that
 * is made at the first start. Several consoles on one database need the same SLICEBOARD_SECRET.
 */
export const loadSecrets = async ({
  secret,
  dataDirectory,
}: {
  secret: string | null
  dataDirectory: string
}): Promise<Secrets> => {
  if (secret !== null) return checkLength(secretsOf(secret), 'SLICEBOARD_SECRET')
  const path = join(dataDirectory, FILE)
  if ((await readFileIfThere(path)) === null) {
    await makeDirectory(dataDirectory)
    await makeFile(path)
  }
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) {
    throw new StartError(
      `${path} can be read by others than its owner (mode ${(mode & 0o777).toString(8)}), but it seals Keystone tokens: run "chmod 600 ${path}".`,
    )
  }
  return checkLength(secretsOf((await readFileIfThere(path)) ?? ''), path)
}
