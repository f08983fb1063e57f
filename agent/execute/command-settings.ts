import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { CommandName } from '@/lib/schemas/agent/command'
import { AgentSettingError } from '../enroll/setting-error'
import { isOwn } from '../enroll/state-directory'

/** `[commands]` of agent.toml: what this host lets the console do, and the words for it. */
export type CommandSettings = {
  allow: readonly CommandName[]
  /** Where write-nova-config may write, and nowhere else. */
  novaConfigFolder: string
  /** Command lines without a shell, first word the program. */
  /** Null: systemctl with the unit that runs nova-compute. */
  restartNovaCompute: readonly string[] | null
  sriovManage: readonly string[]
}

export const DEFAULT_COMMANDS: CommandSettings = {
  allow: [],
  novaConfigFolder: '/etc/nova/nova.conf.d',
  restartNovaCompute: null,
  sriovManage: ['/usr/lib/nvidia/sriov-manage'],
}

const isSafe = ({ uid, mode }: { uid: number; mode: number }): boolean =>
  (uid === 0 || isOwn(uid)) && (mode & 0o022) === 0

/** A user who can write the settings could allow everything: file and folder must belong to root alone, or they are refused. */
export const checkOnlyRootWrites = async (file: string): Promise<void> => {
  for (const checkedPath of [path.resolve(file), path.dirname(path.resolve(file))]) {
    const status = await lstat(checkedPath)
    if (status.isSymbolicLink() || !isSafe(status))
      throw new AgentSettingError(
        `${file} allows commands, but others than root can change ${checkedPath}: run "chown root ${checkedPath} && chmod go-w ${checkedPath}", or take [commands] out.`,
      )
  }
}
