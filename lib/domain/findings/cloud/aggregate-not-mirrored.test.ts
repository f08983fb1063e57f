import { expect, it } from 'vitest'
import { editList, findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'

const CODE = 'aggregate-not-mirrored'
const gold = {
  id: 1,
  uuid: uuidOf(500),
  name: 'gold',
  availabilityZone: null,
  hosts: ['cmp-1'],
  metadata: {},
}
const withGold = () => withFacts(t4Cloud(), { aggregates: readPart([gold]) })

it('a host that is in the aggregate in Nova only', () => {
  expect(sentences(withGold())).toEqual([`${CODE}: gold contains cmp-1 in Nova, but not in Placement`])
  expect(findOne(withGold(), CODE)).toMatchObject({
    sourceToCorrect: 'placement',
    command: 'nova-manage placement sync_aggregates',
  })
})

it('is fine when mirrored, and not reported when Placement was not read', () => {
  for (const aggregateUuids of [[gold.uuid], null])
    expect(
      sentences(editList(withGold(), 'providers', (provider) => ({ ...provider, aggregateUuids }))),
    ).toEqual([])
})
