import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { LimitFacts } from '@/lib/domain/cloud/types'
import { limitTable } from '@/lib/domain/limits/limit-view'
import type { ProjectUse } from '@/lib/domain/limits/quota-table'
import { t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { setOwnLimitsSteps } from './limit-steps'
import { planLimits } from './plan-limits'

const own = (projectId: string, resourceLimit: number): NonNullable<LimitFacts['project']>[number] => ({
  id: projectId,
  serviceId: 'nova-service',
  regionId: 'RegionOne',
  projectId,
  domainId: null,
  resourceName: 'class:VGPU',
  resourceLimit,
})

const project = (id: string) => ({ id, name: id, domainId: 'default', isEnabled: true })

const h100 = { ...own('h100', 0), defaultLimit: 0, resourceName: 'class:CUSTOM_H100' }

const previewOf = (isSetUp: boolean) => {
  const input = t4Cloud()
  const limits = input.facts.limits.value
  if (limits === null) throw new Error('the cloud has limits')
  const fleet = joinFleet(
    withFacts(input, {
      limits: readPart({
        ...limits,
        project: [own('full', 2), own('mute', 2)],
        registered: [...limits.registered, h100],
      }),
      projects: readPart([project('full'), project('mute')]),
    }),
  )
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  const uses = new Map<string, ProjectUse>([
    // Flavors request devices of this class only by an alias, which Nova does not compare.
    ['full', { usages: { VGPU: 4, CUSTOM_H100: 2 }, because: null }],
    ['mute', { usages: null, because: 'Placement is silent' }],
  ])
  const wishes = [{ resourceName: 'class:VCPU', projectId: 'full', value: 8 }]
  const rest = { grant: null, configs: [], removesStrays: false }
  return planLimits(fleet, { view, wishes, uses, isSetUp, ...rest }).limitChange
}

it('of a set-up states who is over existing limits, and for whom that is unknown', () => {
  expect(previewOf(true)).toMatchObject({
    over: [{ resourceName: 'class:VGPU', projectName: 'full', used: 4, limit: 2 }],
    dayOne: { unknown: ['mute'] },
  })
})

it('of another change has only what it changes', () => {
  const { over, dayOne } = previewOf(false) ?? {}
  expect([over, dayOne]).toEqual([[], undefined])
})

it('a name that begins with a dash is the value of an option or an operand', () => {
  const region = { serviceId: 'nova', regionId: 'R' }
  const limit = { resourceName: '--name', projectId: '--id', projectName: 'x', seen: null, wanted: 1 }
  const [{ command, undoCommand } = {}] = setOwnLimitsSteps(region, [limit])
  expect(command).toBe(
    'openstack limit create --project=--id --service nova --region R --resource-limit 1 -- --name',
  )
  expect(undoCommand).toBe(
    'openstack limit delete "$(openstack limit list --project=--id --service nova --region R --resource-name=--name -f value -c ID)"',
  )
})

it('more than 100 limits are several steps, each with its record and 100 of them', () => {
  const region = { serviceId: 'nova', regionId: 'R' }
  const limits = Array.from({ length: 201 }, (_, index) => ({
    ...{ resourceName: 'servers', projectId: `p${index}`, projectName: `p${index}`, seen: null, wanted: 1 },
  }))
  const steps = setOwnLimitsSteps(region, limits)
  expect(
    steps.map(({ id, title, task }) => [id, title, task.kind === 'set-project-limits' && task.stepId === id]),
  ).toEqual([
    ['set-project-limits', 'Set 100 project limits (part 1 of 3)', true],
    ['set-project-limits/2', 'Set 100 project limits (part 2 of 3)', true],
    ['set-project-limits/3', 'Set servers of p200 to 1 (part 3 of 3)', true],
  ])
  const written = steps.flatMap(({ task }) => (task.kind === 'set-project-limits' ? task.limits : []))
  expect(written).toEqual(limits)
  expect(setOwnLimitsSteps(region, [])).toEqual([])
})
