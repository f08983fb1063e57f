import { describe, expect, it } from 'vitest'
import { emptyT4, stillCloud } from '../testing/still-cloud'

const cloud = stillCloud()
const { nova, boot, pass, specOf, totalOn, providerOf } = cloud

describe('a change of the type', () => {
  const configure = (typeId: string, ...lines: string[]) =>
    cloud.openstack().controls.writeNovaConf({
      host: 'cmp-1',
      value: ['[devices]', `enabled_mdev_types = ${typeId}`, ...lines, ''].join('\n'),
    })
  const refresh = () => cloud.openstack().controls.refresh({ host: 'cmp-1' })

  it('is blocked by orphans until they are removed and undefined, then gives a new provider', async () => {
    const uuid = await boot({ host: 'cmp-1' })
    const before = providerOf('cmp-1')
    before?.traits.add('CUSTOM_HAND')
    await nova('DELETE', `/servers/${uuid}`)
    pass()
    configure('nvidia-320')
    refresh()
    expect(totalOn('cmp-1')).toBe(4)
    cloud.openstack().controls.restartNova({ host: 'cmp-1' })
    expect(totalOn('cmp-1')).toBeUndefined()
    const living = cloud.living('cmp-1')
    // Removed alone it would come back with the next start.
    living.become({ ...specOf('cmp-1'), gpus: [emptyT4()] })
    cloud.openstack().controls.restartNova({ host: 'cmp-1' })
    expect(totalOn('cmp-1')).toBeUndefined()
    living.become({ ...specOf('cmp-1'), gpus: [emptyT4()], mdevDefinitions: [] })
    refresh()
    expect(totalOn('cmp-1')).toBe(2)
    expect(providerOf('cmp-1')?.uuid).not.toBe(before?.uuid)
    expect(providerOf('cmp-1')?.traits.has('CUSTOM_HAND')).toBe(false)
  })

  it('with Nova 26 leaves the old total in Placement while orphans block it, and a server that takes it fails', async () => {
    const spec = specOf('cmp-1')
    cloud.living('cmp-1').become({ ...spec, nova: { ...spec.nova, version: '26.2.2' } })
    const uuid = await boot({ host: 'cmp-1' })
    await nova('DELETE', `/servers/${uuid}`)
    pass()
    configure('nvidia-320')
    cloud.openstack().controls.restartNova({ host: 'cmp-1' })
    refresh()
    expect(totalOn('cmp-1')).toBe(4)
    const late = await boot({ host: 'cmp-1' })
    const { body } = await nova('GET', `/servers/${late}`)
    expect(body).toMatchObject({ server: { status: 'ERROR' } })
    cloud.living('cmp-1').become({ ...specOf('cmp-1'), gpus: [emptyT4()], mdevDefinitions: [] })
    refresh()
    expect(totalOn('cmp-1')).toBe(2)
  })

  it('leaves the provider of a card alone that the new nova.conf does not name', () => {
    const before = providerOf('cmp-1')
    configure('nvidia-320', '[mdev_nvidia-320]', 'device_addresses = 0000:99:00.0')
    cloud.openstack().controls.restartNova({ host: 'cmp-1' })
    refresh()
    expect(providerOf('cmp-1')).toBe(before)
    expect(totalOn('cmp-1')).toBe(4)
  })

  it('that Nova refuses stops nova-compute: its heartbeat ends, and it is down after a minute', async () => {
    const service = async () => {
      const { body } = await nova('GET', '/os-services?host=cmp-1')
      return (body as { services: Record<string, string>[] }).services[0]
    }
    configure('nvidia-320', '[mdev_nvidia-320]', 'device_addresses = x')
    const { controls } = cloud.openstack()
    expect(() => controls.restartNova({ host: 'cmp-1' })).toThrow('incorrect PCI address: x')
    const stoppedAt = (await service())?.updated_at
    cloud.wait(30_000)
    expect(await service()).toMatchObject({ state: 'up', updated_at: stoppedAt })
    cloud.wait(40_000)
    expect(await service()).toMatchObject({ state: 'down', updated_at: stoppedAt })
    expect(totalOn('cmp-1')).toBe(4)
    configure('nvidia-320')
    controls.restartNova({ host: 'cmp-1' })
    const startedAt = cloud.now().toISOString().slice(0, 23)
    expect(await service()).toMatchObject({ state: 'up', updated_at: expect.stringContaining(startedAt) })
    expect(totalOn('cmp-1')).toBe(2)
  })

  it('to another class is refused at the start while a server holds the old one', async () => {
    await boot({ host: 'cmp-1' })
    const lines = ['[mdev_nvidia-319]', 'mdev_class = CUSTOM_T4', 'device_addresses = 0000:31:00.0']
    configure('nvidia-319', ...lines)
    const { controls } = cloud.openstack()
    expect(() => controls.restartNova({ host: 'cmp-1' })).toThrow('PlacementPciException')
    expect(totalOn('cmp-1')).toBe(4)
  })
})
