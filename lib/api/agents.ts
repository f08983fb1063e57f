import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { CreateJoinToken } from '@/lib/schemas/api/agent-inputs'
import type { AgentSettings, CreatedJoinToken } from '@/lib/schemas/api/agents'
import type { DecideEnrollment } from '@/lib/schemas/api/enrollment-request-inputs'
import { apiPaths } from '@/lib/util/paths'
import { requestJson, requestNothing } from './client'
import { pollWhileMoving } from './poll-interval'

type Scope = { cloud: string | null }

const agentKeys = {
  all: ['agents'] as const,
  settings: ({ cloud }: Scope) => ['agents', 'settings', { cloud }] as const,
}

export const agentSettingsOptions = (scope: Scope) =>
  queryOptions({
    queryKey: agentKeys.settings(scope),
    queryFn: ({ signal }) => requestJson<AgentSettings>({ path: apiPaths.agents(scope), signal }),
    refetchInterval: pollWhileMoving<AgentSettings>({ fastMs: 5000, slowMs: 10_000 }),
  })

export const createJoinTokenOptions = () =>
  mutationOptions({
    mutationKey: ['agents', 'createJoinToken'],
    mutationFn: (body: CreateJoinToken) =>
      requestJson<CreatedJoinToken>({ path: apiPaths.joinTokens(), method: 'POST', body }),
    onSuccess: (_created, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: agentKeys.all }),
  })

export const decideEnrollmentOptions = () =>
  mutationOptions({
    mutationKey: ['agents', 'decideEnrollment'],
    mutationFn: ({ id, decision }: { id: number } & DecideEnrollment) =>
      requestNothing({ path: apiPaths.enrollmentDecision({ id }), method: 'POST', body: { decision } }),
    onSuccess: (_nothing, _decided, _result, { client }) =>
      client.invalidateQueries({ queryKey: agentKeys.all }),
  })

export const revokeJoinTokenOptions = () =>
  mutationOptions({
    mutationKey: ['agents', 'revokeJoinToken'],
    mutationFn: ({ id }: { id: number }) =>
      requestNothing({ path: apiPaths.joinToken({ id }), method: 'DELETE' }),
    onSuccess: (_nothing, _token, _result, { client }) =>
      client.invalidateQueries({ queryKey: agentKeys.all }),
  })

export const revokeAgentOptions = () =>
  mutationOptions({
    mutationKey: ['agents', 'revokeAgent'],
    mutationFn: ({ credentialId }: { credentialId: number }) =>
      requestNothing({ path: apiPaths.agent({ credentialId }), method: 'DELETE' }),
    onSuccess: (_nothing, _agent, _result, { client }) =>
      client.invalidateQueries({ queryKey: agentKeys.all }),
  })
