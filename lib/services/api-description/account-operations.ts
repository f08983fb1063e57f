import {
  agentParamsSchema,
  createJoinTokenSchema,
  joinTokenParamsSchema,
} from '@/lib/schemas/api/agent-inputs'
import { agentSettingsSchema, createdJoinTokenSchema } from '@/lib/schemas/api/agents'
import { apiTokenParamsSchema, createApiTokenSchema } from '@/lib/schemas/api/api-token-inputs'
import { apiTokenListSchema, createdApiTokenSchema } from '@/lib/schemas/api/api-tokens'
import { auditChainSchema, auditPageSchema } from '@/lib/schemas/api/audit'
import { auditExportSchema, auditScopeSchema } from '@/lib/schemas/api/audit-inputs'
import {
  decideEnrollmentSchema,
  enrollmentRequestParamsSchema,
} from '@/lib/schemas/api/enrollment-request-inputs'
import { helpImageParamsSchema } from '@/lib/schemas/api/help'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { accountSchema, scopeListSchema, sessionListSchema, signedInSchema } from '@/lib/schemas/api/session'
import { chooseScopeSchema, endSessionsQuerySchema, signInSchema } from '@/lib/schemas/api/session-inputs'
import { sessionParamsSchema } from '@/lib/schemas/api/session-params'
import type { Area } from './operation'

export const ACCOUNT_AREA: Area = {
  title: 'Accounts and agents',
  about: 'Agents, tokens, sessions and the audit',
  operations: [
    {
      method: 'GET',
      path: '/api/v1/agents',
      summary: 'Agents and join tokens',
      may: 'agent.list',
      query: cloudScopeSchema,
      answer: agentSettingsSchema,
    },
    {
      method: 'DELETE',
      path: '/api/v1/agents/{credentialId}',
      summary: 'Revoke an agent’s credential',
      may: 'agent.revoke',
      params: agentParamsSchema,
      answer: null,
    },
    {
      method: 'POST',
      path: '/api/v1/enrollment-requests/{id}/decision',
      summary: 'Approve or decline the enrollment of a host',
      may: 'enrollment.decide',
      params: enrollmentRequestParamsSchema,
      body: decideEnrollmentSchema,
      answer: null,
    },
    {
      method: 'POST',
      path: '/api/v1/join-tokens',
      summary: 'Create a join token; it is shown once',
      may: 'join-token.create',
      body: createJoinTokenSchema,
      answer: createdJoinTokenSchema,
      status: 201,
    },
    {
      method: 'DELETE',
      path: '/api/v1/join-tokens/{id}',
      summary: 'Revoke a join token',
      may: 'join-token.revoke',
      params: joinTokenParamsSchema,
      answer: null,
    },
    {
      method: 'GET',
      path: '/api/v1/api-tokens',
      summary: 'Your API tokens; an admin sees the tokens of all users',
      may: 'api-token.list',
      answer: apiTokenListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/api-tokens',
      summary: 'Create an API token; it is shown once',
      may: 'api-token.create',
      body: createApiTokenSchema,
      answer: createdApiTokenSchema,
      status: 201,
    },
    {
      method: 'DELETE',
      path: '/api/v1/api-tokens/{id}',
      summary: 'Revoke an API token',
      may: 'api-token.revoke',
      params: apiTokenParamsSchema,
      answer: null,
    },
    {
      method: 'GET',
      path: '/api/v1/sessions',
      summary: 'Your sessions',
      may: 'session.list',
      answer: sessionListSchema,
    },
    {
      method: 'DELETE',
      path: '/api/v1/sessions',
      summary: 'End your other sessions, or all',
      may: 'session.end',
      query: endSessionsQuerySchema,
      answer: null,
    },
    {
      method: 'DELETE',
      path: '/api/v1/sessions/{id}',
      summary: 'End one of your sessions',
      may: 'session.end',
      params: sessionParamsSchema,
      answer: null,
    },
    {
      method: 'GET',
      path: '/api/v1/session',
      summary: 'Your account, role and scope',
      may: 'account',
      answer: accountSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/session',
      summary: 'Sign in with name and password',
      may: 'anyone',
      body: signInSchema,
      answer: signedInSchema,
    },
    { method: 'DELETE', path: '/api/v1/session', summary: 'Sign out', may: 'session', answer: null },
    {
      method: 'GET',
      path: '/api/v1/session/scopes',
      summary: 'Projects that you can select',
      may: 'session',
      answer: scopeListSchema,
    },
    {
      method: 'POST',
      path: '/api/v1/session/scope',
      summary: 'Choose a project or the system',
      may: 'session',
      body: chooseScopeSchema,
      answer: accountSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/help-images/{name}',
      summary: 'A picture of the documentation',
      may: 'account',
      params: helpImageParamsSchema,
      answer: 'text',
    },
    {
      method: 'GET',
      path: '/api/v1/audit',
      summary: 'Audit entries',
      may: 'audit.read',
      query: auditScopeSchema,
      answer: auditPageSchema,
    },
    {
      method: 'GET',
      path: '/api/v1/audit/export',
      summary: 'The audit as CSV or JSON lines',
      may: 'audit.read',
      query: auditExportSchema,
      answer: 'text',
    },
    {
      method: 'GET',
      path: '/api/v1/audit/chain',
      summary: 'Verify the chain of the audit from its first entry',
      may: 'audit.read',
      answer: auditChainSchema,
    },
  ],
}
