import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { previewReboot } from '@/lib/domain/cloud/preview-reboot'
import { detect, editHosts, editList, findOne, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'

const CODE = 'guests-stay-off'

/** nova.conf without the option, or with another value. */
const withValue = (value: string | null) =>
  editHosts(t4Cloud(), (inventory) => ({
    ...inventory,
    novaConfig:
      inventory.novaConfig === null
        ? null
        : {
            ...inventory.novaConfig,
            options: inventory.novaConfig.options.flatMap((option) => {
              if (option.name !== 'resume_guests_state_on_host_boot') return [option]
              return value === null ? [] : [{ ...option, value }]
            }),
          },
  }))
const codes = (input: Parameters<typeof detect>[0]) => detect(input).findings.map(({ code }) => code)

// Source: nova/conf/compute.py resume_guests_state_on_host_boot (default False), nova/compute/manager.py _init_instance.
it.each([null, 'False', '0'])('running servers stay off with %s', (value) => {
  const input = withValue(value)
  expect(findOne(input, CODE)).toMatchObject({ severity: 'info', sourceToCorrect: null })
  const fleet = joinFleet(input)
  const [host] = fleet.hosts
  const servers = host === undefined ? [] : (previewReboot(fleet, host)?.servers ?? [])
  expect(servers).toMatchObject([
    { fate: 'returns', isRestarted: false, command: `openstack server start ${servers[0]?.guestUuid}` },
    { fate: 'returns', isRestarted: false },
  ])
})

it('is no finding where Nova resumes guests, or where no server runs', () => {
  expect(codes(withValue('yes'))).not.toContain(CODE)
  const off = editList(withValue(null), 'servers', (server) => ({ ...server, status: 'SHUTOFF' }))
  expect(codes(off)).not.toContain(CODE)
})

it('no finding for an agent that is too old to report the option', () => {
  const input = withValue(null)
  const old = { ...input, hosts: input.hosts.map((host) => ({ ...host, agentVersion: '0.9.0' })) }
  expect(codes(old)).not.toContain(CODE)
})

it('leaves out servers that do not survive the reboot', () => {
  const input = withFacts(
    editHosts(withValue(null), (inventory) => ({
      ...inventory,
      mdevs: (inventory.mdevs ?? []).map((mdev) => ({ ...mdev, definition: null })),
    })),
    { versions: { nova: '2.93', placement: '1.39', keystone: '3.14' } },
  )
  expect(codes(input)).toContain('reboot-loses-servers')
  expect(codes(input)).not.toContain(CODE)
})
