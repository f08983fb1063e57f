import { expect, it } from 'vitest'
import { sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'

const withAgent = (agentVersion: string | null, currentAgentVersion: string | null = '1.2.0') => ({
  ...t4Cloud(),
  currentAgentVersion,
  hosts: t4Cloud().hosts.map((host) => ({ ...host, agentVersion })),
})

it('an older agent', () => {
  expect(sentences(withAgent('1.1.9'))).toEqual([
    "agent-outdated: the agent 1.1.9 is older than the console's 1.2.0",
  ])
})

it('not the same, a newer one, or an unknown one', () => {
  for (const input of [withAgent('1.2.0'), withAgent('1.10.0'), withAgent(null), withAgent('1.0.0', null)])
    expect(sentences(input)).toEqual([])
})
