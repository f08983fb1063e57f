import { describe, expect, it } from 'vitest'
import { isUnified, osloLimitFaults, readApiQuotas } from './api-quota'
import type { Fleet } from './fleet-types'

const FILE = '/etc/kolla/nova-api/nova.conf'

type Line = [section: string, name: string, value: string]

const GOOD: Line[] = [
  ['quota', 'driver', 'nova.quota.UnifiedLimitsDriver'],
  ['oslo_limit', 'endpoint_id', 'e1'],
  ['oslo_limit', 'username', 'nova'],
  ['oslo_limit', 'system_scope', 'all'],
]

const without = (name: string): Line[] => GOOD.filter((line) => line[1] !== name)

const fleetOf = (lines: Line[] | null): Pick<Fleet, 'hosts'> => {
  const options = (lines ?? []).map(([section, name, value], at) => ({
    section,
    name,
    value,
    file: FILE,
    line: at,
  }))
  const novaApi = lines === null ? null : { deployment: 'kolla', files: [FILE], options }
  const host = { name: 'ctl-1', isSilent: false, inventory: { host: { novaApi } } }
  // Only what is read of a host is made.
  return { hosts: [{ host }] } as unknown as Pick<Fleet, 'hosts'>
}

const faults = (lines: Line[]): string[] =>
  readApiQuotas(fleetOf(lines)).flatMap((api) => osloLimitFaults(api, { endpointId: 'e1', user: 'nova' }))

describe('limits of a host of the API', () => {
  it('are reported with their line', () => {
    const [api] = readApiQuotas(fleetOf(GOOD))
    expect(api).toMatchObject({ host: 'ctl-1', driver: { source: `${FILE}:0` }, userName: { value: 'nova' } })
    expect(api && isUnified(api)).toBe(true)
    expect(faults(GOOD)).toEqual([])
  })

  it('are not read from a host without the API, nor from an agent that sends only the aliases', () => {
    expect(readApiQuotas(fleetOf(null))).toEqual([])
    expect(readApiQuotas(fleetOf([['pci', 'alias', '{"name": "gpu"}']]))).toEqual([])
  })

  it('ignore [DEFAULT] quota_driver, which Nova 26 and newer do not read', () => {
    const [api] = readApiQuotas(fleetOf([['DEFAULT', 'quota_driver', 'nova.quota.NoopQuotaDriver']]))
    expect(api?.driver ?? null).toBeNull()
  })

  it.each([
    [without('endpoint_id'), 'endpoint_id is missing, so Nova’s limits are not found'],
    [
      [...without('endpoint_id'), ['oslo_limit', 'endpoint_id', 'e2']],
      'endpoint_id is e2, and Nova’s public endpoint is e1',
    ],
    [without('system_scope'), 'system_scope = all is missing'],
    [without('username'), 'username is missing'],
    [
      [...without('username'), ['oslo_limit', 'username', 'admin']],
      'username is admin, and nova was checked',
    ],
  ] as [Line[], string][])('%j is reported', (lines, fault) => {
    expect(faults(lines)).toEqual([fault])
  })

  it('of another section are not held against this one', () => {
    expect(faults([...without('username'), ['oslo_limit', 'auth_section', 'keystone_authtoken']])).toEqual([])
  })
})
