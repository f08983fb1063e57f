import type { CommandResult } from '@/lib/schemas/agent/command'

/** What a successful command reports. */
export type Done = Pick<CommandResult, 'message' | 'output' | 'previous'>
