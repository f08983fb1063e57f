import { stat } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../commands/run-log'
import { makeDirectory } from '../spool/make-directory'
import { AgentSettingError } from './setting-error'

/** Makes the agent's own directory, mode 0700, or checks that no other user can read or write the existing one. */
export const openStateDirectory = async (directory: string): Promise<void> => {
  if (!path.isAbsolute(directory))
    throw new AgentSettingError(`The state directory "${directory}" must be an absolute path.`)
  try {
    await makeDirectory(directory)
  } catch (error) {
    throw new AgentSettingError(`The state directory ${directory} cannot be made: ${reasonOf(error)}.`)
  }
  const { mode, uid } = await stat(directory)
  if (!isOwn(uid))
    throw new AgentSettingError(
      `The state directory ${directory} belongs to another user; run the agent as its owner or give it another one.`,
    )
  if ((mode & 0o077) !== 0)
    throw new AgentSettingError(
      `The state directory ${directory} is open to other users; run "chmod 700 ${directory}" and check its content.`,
    )
}

/** True when the file belongs to the user that the agent runs as. */
export const isOwn = (uid: number): boolean => process.getuid === undefined || uid === process.getuid()
