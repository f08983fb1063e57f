import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { t4Cloud } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { limitTable } from '../limit-view'
import { describeFacts } from './describe-facts'
import { neededLimits } from './needed-limits'

const factOf = (nova: string | null, defaultLimit: number) => {
  const { facts, ...input } = t4Cloud()
  const limits = facts.limits.value
  if (limits === null) throw new Error('the cloud has limits')
  const registered = limits.registered.map((row) =>
    row.resourceName === 'servers' ? { ...row, defaultLimit } : row,
  )
  const fleet = joinFleet({
    ...input,
    facts: { ...facts, limits: readPart({ ...limits, registered }), versions: { ...facts.versions, nova } },
  })
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  return describeFacts({
    fleet,
    view,
    needed: neededLimits(fleet, view),
    driver: { driver: null, reported: '' },
    endpointId: null,
    apis: [],
    user: { name: 'nova', domainId: null, mayRead: true, roles: ['reader'], because: null },
  }).find(({ id }) => id === 'minus-one')
}

it('is to be repaired where the release takes -1 unchanged, whether Nova checks it yet or not', () => {
  expect(factOf('2.96', -1)).toMatchObject({
    state: 'open',
    reported: expect.stringContaining('the default of servers is -1'),
  })
})

it('is requested where the release is not known, and is nothing from 2025.1 on or without such a row', () => {
  expect(factOf(null, -1)).toMatchObject({ state: 'unknown', check: 'nova-manage --version' })
  expect([factOf('2.100', -1), factOf('2.96', 10)]).toEqual([undefined, undefined])
})
