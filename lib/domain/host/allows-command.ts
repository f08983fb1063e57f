import type { CommandName } from '@/lib/schemas/agent/command'
import type { Inventory } from '@/lib/schemas/agent/inventory'

/** Whether the host's own agent.toml allows a command. An agent that does not say allows nothing. */
export const allowsCommand = ({ host }: Pick<Inventory, 'host'>, name: CommandName): boolean =>
  host.allowedCommands?.includes(name) ?? false
