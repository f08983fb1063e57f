'use client'

import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '@/lib/api/session'
import { isAllowed } from '@/lib/domain/access/permissions'
import {
  agentSettingsPath,
  apiDescriptionPath,
  apiTokenSettingsPath,
  auditPath,
  cloudSettingsPath,
  sessionSettingsPath,
  webhookSettingsPath,
} from '@/lib/util/paths'
import { priceSettingsPath } from '@/lib/util/planning-paths'
import { PartNav } from './part-nav'

const parts = [
  { name: 'Agents', path: agentSettingsPath, needs: 'agent.list', isPersonal: false },
  { name: 'Cloud', path: cloudSettingsPath, needs: 'fleet.read', isPersonal: false },
  { name: 'Price list', path: priceSettingsPath, needs: 'fleet.read', isPersonal: false },
  { name: 'Webhooks', path: webhookSettingsPath, needs: 'webhook.list', isPersonal: false },
  { name: 'Audit', path: auditPath, needs: 'audit.read', isPersonal: false },
  { name: 'Sessions', path: sessionSettingsPath, needs: 'session.list', isPersonal: true },
  { name: 'API tokens', path: apiTokenSettingsPath, needs: 'api-token.list', isPersonal: true },
  { name: 'API', path: apiDescriptionPath, needs: 'quota-request.list-own', isPersonal: false },
] as const

/** The pages of the settings. Without sign-in there are no sessions or tokens. */
export const SettingsNav = () => {
  const { data } = useQuery(accountOptions())
  const shown = parts.filter(
    ({ needs, isPersonal }) =>
      data !== undefined &&
      isAllowed({ roles: [data.role], action: needs }) &&
      !(isPersonal && data.mode === 'local'),
  )
  if (shown.length < 2) return null
  return <PartNav label="Settings" parts={shown} />
}
