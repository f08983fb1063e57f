import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { commandKeySchema } from '@/lib/schemas/agent/command'
import { hostNameSchema } from '@/lib/schemas/agent/primitives'
import { writeDurable } from '../spool/durable-file'
import { AgentSettingError } from './setting-error'
import { isOwn } from './state-directory'

const credentialSchema = z.object({
  /** `sbac_<id>_<secret>` */
  credential: z.string().check(z.regex(/^[\x21-\x7e]{8,512}$/)),
  hostName: hostNameSchema,
  cloud: z.string(),
  /** Public key of the console's commands: the first one that it sent, until the next enrollment. */
  commandKey: z.optional(commandKeySchema),
})

/** What an enrollment leaves on the host: the secret and the one host name that it is bound to. */
export type Credential = z.infer<typeof credentialSchema>

const fileIn = (stateDirectory: string) => path.join(stateDirectory, 'credential.json')

/** Null when the host is not enrolled. Throws AgentSettingError when the file is damaged or others can read it. */
export const loadCredential = async (stateDirectory: string): Promise<Credential | null> => {
  const file = fileIn(stateDirectory)
  let text: string
  try {
    const { mode, uid } = await lstat(file)
    if ((mode & 0o077) !== 0 || !isOwn(uid))
      throw new AgentSettingError(
        `The credential ${file} is open to other users: revoke it in the console, remove it, and enroll with a new join token.`,
      )
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  const parsed = credentialSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new AgentSettingError(
    `The credential ${file} is damaged: remove it and enroll with a new join token of the console.`,
  )
}

/** Stores the credential for root only, as a whole or not at all. */
export const saveCredential = (stateDirectory: string, credential: Credential): Promise<void> =>
  writeDurable({ file: fileIn(stateDirectory), data: `${JSON.stringify(credential)}\n` })

/** True for an error that reports that a file or directory is not there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Null for text that is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
