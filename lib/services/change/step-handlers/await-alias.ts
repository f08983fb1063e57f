import 'server-only'
import { readApiAliases } from '@/lib/domain/cloud/api-aliases'
import type { StepTask } from '@/lib/domain/plans/types'
import { blocked, GOES_ON, unreadable } from './blocked'
import type { ConsoleHandler } from './step-work'

type Task = Extract<StepTask, { kind: 'await-alias' }>

/** Nova's API on a host has an alias: a person writes it there, and the host's agent reports it. */
export const awaitAliasHandler: ConsoleHandler<Task> = {
  by: 'console',
  check: async (tools, { host, alias, line }) => {
    const { joined, reason } = await tools.hostNow(host)
    if (joined === null) return unreadable(host, reason)
    const [api] = readApiAliases([joined.host], null).hosts
    if (api === undefined) return unreadable(host, "its agent no longer reports Nova's API")
    return api.aliases.some(({ name }) => name === alias)
      ? { state: 'holds', answer: `nova.conf of nova-api on ${host} has the alias ${alias}.` }
      : blocked(
          `nova.conf of nova-api on ${host} has no alias ${alias}.`,
          `Write "alias = ${line}" into its [pci], and restart nova-api. ${GOES_ON}`,
        )
  },
  act: async () => 'The step only checks.',
  checkUndo: async (_tools, { host, alias }) => ({
    state: 'holds',
    answer: `The alias ${alias} stays on ${host}: it no longer matches a device.`,
  }),
  undo: async () => 'The step only checked.',
}
