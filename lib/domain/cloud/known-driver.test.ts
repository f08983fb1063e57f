import { expect, it } from 'vitest'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { describeFacts } from '@/lib/domain/limits/set-up/describe-facts'
import type { DriverVerdict } from '@/lib/domain/limits/set-up/judge-driver'
import { neededLimits } from '@/lib/domain/limits/set-up/needed-limits'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import type { QuotaDriver } from '@/lib/schemas/states'
import { readApiQuotas } from './api-quota'
import { joinFleet } from './join-fleet'
import { knownDriver } from './known-driver'

const FILE = '/etc/kolla/nova-api/nova.conf'
const UNIFIED = 'nova.quota.UnifiedLimitsDriver'
const LEGACY = 'nova.quota.DbQuotaDriver'
const AT = '2026-11-20T09:00:00.000Z'

/** `api`: the driver that an agent on a host of Nova's API reads; null: there is no such agent. */
type Case = { api: string | null; isSilent?: boolean; entered: QuotaDriver | null }

const fleetOf = ({ api, isSilent = false, entered }: Case) => {
  const input = t4Cloud()
  const options = [{ section: 'quota', name: 'driver', value: api ?? '', file: FILE, line: 3 }]
  const novaApi = api === null ? null : { deployment: 'kolla' as const, files: [FILE], options }
  return joinFleet({
    ...input,
    hosts: input.hosts.map((host) => ({
      ...host,
      isSilent,
      inventory: { ...host.inventory, host: { ...host.inventory.host, novaApi } },
    })),
    quotaDriver: entered === null ? null : { driver: entered, by: 'user:anna@Default', at: AT },
  })
}

const known = (each: Case) => knownDriver(fleetOf(each))

it('is not known where neither an agent nor an admin reports it', () => {
  expect(known({ api: null, entered: null })).toEqual({ driver: null, source: null, contradiction: null })
})

it('is the value that an admin entered if no reporting agent reads it', () => {
  const answered = { driver: 'legacy', source: 'answer', contradiction: null }
  expect(known({ api: null, entered: 'legacy' })).toEqual(answered)
  expect(known({ api: UNIFIED, isSilent: true, entered: 'legacy' })).toEqual(answered)
})

it('is the value that an agent reads, and a different entered value is stated', () => {
  expect(known({ api: UNIFIED, entered: 'unified' })).toMatchObject({ source: 'agents', contradiction: null })
  const against = known({ api: LEGACY, entered: 'unified' })
  expect(against).toMatchObject({ driver: 'legacy', source: 'agents' })
  expect(against.contradiction).toMatch(
    /^anna@Default answered that Nova’s API uses unified limits, but this contradicts nova.conf as reported by the agent of cmp-1$/,
  )
})

const fact = (each: Case, driver: DriverVerdict) => {
  const fleet = fleetOf(each)
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has no limits')
  return describeFacts({
    fleet,
    view,
    needed: neededLimits(fleet, view),
    driver,
    endpointId: null,
    apis: readApiQuotas(fleet),
    user: { name: 'nova', domainId: null, mayRead: true, roles: ['reader'], because: null },
  }).find(({ id }) => id === 'driver')
}

const UNKNOWN_DRIVER: DriverVerdict = { driver: null, reported: 'Nova’s answers are Keystone’s' }
const NOT_UNIFIED: DriverVerdict = { driver: 'legacy', reported: 'Nova answers 20' }

it('is requested with a way to check if no source reports it, until it is entered', () => {
  expect(fact({ api: null, entered: null }, UNKNOWN_DRIVER)).toMatchObject({
    state: 'unknown',
    check: expect.stringContaining('quota'),
  })
  expect(fact({ api: null, entered: 'unified' }, UNKNOWN_DRIVER)).toMatchObject({
    state: 'good',
    check: null,
  })
  expect(fact({ api: null, entered: 'legacy' }, UNKNOWN_DRIVER)).toMatchObject({ state: 'open', check: null })
})

it('is what Nova’s own numbers prove against an answer', () => {
  const { state, reported, check } = fact({ api: null, entered: 'unified' }, NOT_UNIFIED) ?? {}
  expect(state).toBe('open')
  expect(reported).toMatch(/^Nova answers 20\. This contradicts an answer: anna@Default answered that/)
  expect(check).toContain('quota')
})

it('states next to the report of an agent that the entered value is wrong', () => {
  const { state, reported } = fact({ api: LEGACY, entered: 'unified' }, UNKNOWN_DRIVER) ?? {}
  expect(state).toBe('open')
  expect(reported).toContain(`${LEGACY} (${FILE}:3)`)
  expect(reported).toContain(
    'Reported by the hosts of Nova’s API: cmp-1: nova.quota.DbQuotaDriver (/etc/kolla/nova-api/nova.conf:3). Nova’s answers are Keystone’s. anna@Default answered that Nova’s API uses unified limits, but this contradicts nova.conf as reported by the agent of cmp-1',
  )
})
