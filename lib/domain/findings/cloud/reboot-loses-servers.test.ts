import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { previewReboot } from '@/lib/domain/cloud/preview-reboot'
import { editHosts, findOne, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { autostart, buildMdev, uuidOf } from '@/lib/domain/testing/build-inventory'
import type { Mdev } from '@/lib/schemas/agent/inventory'

const CODE = 'reboot-loses-servers'
const withMdevs = (edit: (mdevs: Mdev[]) => Mdev[]) =>
  editHosts(t4Cloud(), (inventory) => ({ ...inventory, mdevs: edit(inventory.mdevs ?? []) }))
const undefinedMdevs = (nova: string) =>
  withFacts(
    withMdevs((mdevs) => mdevs.map((mdev) => ({ ...mdev, definition: null }))),
    {
      versions: { nova, placement: '1.39', keystone: '3.14' },
    },
  )
const fatesOf = (input: Parameters<typeof joinFleet>[0]) => {
  const fleet = joinFleet(input)
  return fleet.hosts.flatMap((host) => previewReboot(fleet, host)?.servers ?? [])
}

it('mdevs with autostart return, server by server', () => {
  expect(fatesOf(t4Cloud())).toHaveLength(2)
  expect(fatesOf(t4Cloud())[0]).toMatchObject({
    fate: 'returns',
    projectName: 'research',
  })
})

it('undefined mdevs are lost where Nova would have defined them', () => {
  expect(findOne(undefinedMdevs('2.103'), CODE)).toMatchObject({
    severity: 'warning',
    sourceToCorrect: 'hardware',
    subject: { kind: 'host', host: 'cmp-1' },
    sentence: '2 servers would not start after a reboot: server-0000 and server-0001',
  })
})

it('up to 2024.1, where none is defined, it is a risk without a source, and states what nova-compute does', () => {
  expect(findOne(undefinedMdevs('2.93'), CODE)).toMatchObject({
    severity: 'info',
    sourceToCorrect: null,
    consequence:
      'After the next reboot, nova-compute and the servers of the host would not start: the mdevs of 2 servers would be missing: server-0000 and server-0001.',
  })
})

it('a definition of another size on the same card comes first', () => {
  const rival = { uuid: uuidOf(77), parent: '0000:20:00.0', typeId: 'nvidia-321' }
  const input = withMdevs((mdevs) => [
    ...mdevs,
    buildMdev({ ...rival, typeId: null, isActive: false, definition: autostart(rival) }),
  ])
  expect(findOne(input, CODE).evidence[0]?.reported).toContain('another size')
})
