import { AgentError } from '@/lib/server/agent-api/agent-error'

/** Refuses a message of another contract version by the version that this console speaks. */
export const checkContractVersion = (input: unknown, spoken: number): void => {
  const version =
    typeof input === 'object' && input !== null && 'contractVersion' in input
      ? input.contractVersion
      : undefined
  if (version === spoken) return
  const told =
    typeof version === 'number' || typeof version === 'string' ? String(version).slice(0, 20) : 'missing'
  throw new AgentError(
    'unknown_contract_version',
    `contractVersion is ${told}, but this console speaks version ${spoken}. Install the agent that this console serves.`,
    { field: 'contractVersion' },
  )
}
