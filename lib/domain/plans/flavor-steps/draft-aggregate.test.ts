import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { flavorQuestion } from '@/lib/domain/fit/explain-fit'
import { explainFit } from '@/lib/domain/fit/testing/fit-at-once'
import { t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { draftFlavors } from '../flavor/draft-flavors'
import { withAggregate } from './draft-aggregate'

const hosts = (t4Cloud().facts.services.value ?? []).map(({ host }) => host)

const draft = (
  properties: Record<string, string>,
  groupPolicy: string | null,
  { seen = '', nova = '2.100' } = {},
) => {
  const metadata = seen === '' ? {} : { group_policy: seen }
  const aggregate = { id: 1, uuid: 'a1', name: 'gpu', availabilityZone: null, hosts: [], metadata }
  const fleet = joinFleet(
    withFacts(t4Cloud(), {
      aggregates: readPart([aggregate]),
      versions: { ...t4Cloud().facts.versions, nova },
    }),
  )
  const drafts = draftFlavors(fleet, {
    do: 'create',
    flavorId: 'f1',
    flavor: {
      name: 'two',
      description: null,
      vcpus: 1,
      memoryMib: 1024,
      diskGib: 1,
      isPublic: false,
      projectIds: [],
      extraSpecs: {
        'resources1:VGPU': '1',
        'resources2:VGPU': '1',
        ...Object.fromEntries(
          Object.entries(properties).map(([key, value]) => [`aggregate_instance_extra_specs:${key}`, value]),
        ),
        ...(groupPolicy === null ? {} : { group_policy: groupPolicy }),
      },
    },
    aggregate: { name: 'gpu', hosts, properties },
  })
  return { fleet, drafts }
}

test('the group policy of a tied flavor becomes a property of its aggregate, so that its hosts are left', () => {
  const { fleet, drafts } = draft({ gpu: 'true' }, 'none')
  expect(drafts.tie?.properties).toEqual({ gpu: 'true', group_policy: 'none' })
  expect(drafts.notes).toContainEqual(expect.stringContaining('group_policy'))
  expect(drafts.first.map(({ command }) => command).join()).toContain('group_policy=none')
  const [after] = drafts.drafts.map((each) => each.after)
  if (drafts.tie === null || after === undefined) throw new Error('nothing was drafted')
  expect(Object.keys(after.extraSpecs)).not.toContain('aggregate_instance_extra_specs:group_policy')
  const { hosts: found } = explainFit(withAggregate(fleet, drafts.tie), flavorQuestion(after))
  expect(found.flatMap(({ blockers }) => blockers)).toEqual([])
})

test('a flavor with several vGPUs names the release that attaches all of them', () => {
  const note = (nova: string) => draft({}, 'none', { nova }).drafts.notes.join(' ')
  expect(note('2.100')).toContain('nova-api runs Nova 31 or 32. A server gets the vGPUs of one provider only')
  expect(note('2.103')).toContain('nova-api runs Nova 33. On a host with an older nova-compute, this is not')
})

test('what other flavors of the aggregate need stays next to it', () => {
  expect(draft({ gpu: 'true' }, 'none', { seen: 'isolate' }).drafts.tie?.properties.group_policy).toBe(
    'isolate,none',
  )
  expect(draft({ gpu: 'true' }, 'none', { seen: 'none' }).drafts.tie?.properties.group_policy).toBe('none')
})

test('an aggregate gets none where its flavors have none, or ask for no property', () => {
  expect(draft({ gpu: 'true' }, null).drafts.tie?.properties).toEqual({ gpu: 'true' })
  expect(draft({}, 'none').drafts.tie?.properties).toEqual({})
})
