import { existsSync } from 'node:fs'
import path from 'node:path'
import type { CreateJoinToken } from '@/lib/schemas/api/agent-inputs'
import { createdJoinTokenSchema } from '@/lib/schemas/api/agents'
import { apiPaths } from '@/lib/util/paths'
import type { AdminApi } from './admin-api'

/** Whether agents without a credential are about to start. */
export const needsJoinToken = (agentsDirectory: string, hostNames: string[]): boolean =>
  hostNames.some((name) => !existsSync(path.join(agentsDirectory, name, 'credential.json')))

/** A join token from the console's own API, as the Settings page would make it. */
export const createJoinToken = async ({ post, cloud }: AdminApi): Promise<string> => {
  const input: CreateJoinToken = { cloud, label: 'demo', lifetimeMinutes: 60, maxUses: 100, hostName: null }
  const response = await post(apiPaths.joinTokens(), input)
  return createdJoinTokenSchema.parse(await response.json()).token
}
