import 'server-only'
import type { MovedServer } from '@/lib/domain/plans/host-steps/tasks'
import type { StepTools } from './step-work'

/** The first of these servers that has not permanently left its host; null: all have, or there are none. */
export const stillOn = async (
  { nova }: StepTools,
  { service, moves }: { service: string; moves: readonly MovedServer[] },
): Promise<MovedServer | null> => {
  for (const move of moves) {
    const server = await nova.getServer(move.uuid)
    if (server !== null && (server.host === service || server.taskState !== null)) return move
  }
  return null
}
