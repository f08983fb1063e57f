import { guest, hostSpec, novaSpec, novaType, vgpu } from '@/simulator/fixtures/host-parts'
import { buildGpu } from '@/simulator/gpu-models/build-gpu'
import { liveXml, persistentXml } from '@/simulator/host-tree/guest-xml'
import type { ExtraEntry, GpuSpec, HostSpec } from '@/simulator/host-tree/host-spec'
import { vfAddress } from '@/simulator/host-tree/pci-address'

export const CARDS = 8
export const FUNCTIONS = 16
export const TYPES = 20

/** 24 fit on a card, so every VF can carry one. */
const MADE_TYPE = 'nvidia-556'

const slots = (pf: string): string[] =>
  Array.from({ length: FUNCTIONS }, (_, index) => vfAddress(pf, 4, index))

const withTypes = (gpu: GpuSpec, count: number): GpuSpec => {
  if (gpu.slicing === null) return gpu
  const { types, state } = gpu.slicing
  return {
    ...gpu,
    slicing: {
      ...gpu.slicing,
      types: types.slice(0, count),
      state: { ...state, types: state.types.slice(0, count) },
    },
  }
}

const card = (index: number): GpuSpec => {
  const bus = (0x21 + index * 0x10).toString(16)
  const address = `0000:${bus}:00.0`
  const gpu = buildGpu({
    model: 'A40',
    address,
    upstream: [`pci0000:${bus[0]}0`, `0000:${bus[0]}0:01.1`],
    numaNode: index < CARDS / 2 ? 0 : 1,
    iommuGroup: 40 * (index + 1),
    enabledVfs: FUNCTIONS,
    vgpus: slots(address).map((slot) => vgpu(slot, MADE_TYPE)),
  })
  return withTypes(gpu, TYPES)
}

/** libvirt writes far more into a guest's XML than the simulator does; these parts bring it to its real size. */
const QEMU_CAPS = Array.from({ length: 350 }, (_, index) => `<flag name='some-capability-${index}'/>`).join(
  '\n    ',
)
const CONTROLLERS = Array.from(
  { length: 30 },
  (_, index) => `    <controller type='pci' index='${index}' model='pcie-root-port'>
      <model name='pcie-root-port'/>
      <target chassis='${index}' port='0x${index.toString(16)}'/>
      <address type='pci' domain='0x0000' bus='0x00' slot='0x02' function='0x${index % 8}'/>
    </controller>`,
).join('\n')

const realistic = (xml: string): string =>
  xml.replace('<qemuCaps>', `<qemuCaps>\n    ${QEMU_CAPS}`).replace('<devices>', `<devices>\n${CONTROLLERS}`)

const xmlFile = (path: string, content: string): ExtraEntry => ({
  kind: 'file',
  path,
  content: realistic(content),
  mode: 0o600,
})

/** A full host: 8 pGPUs with 16 VFs and 20 types each, 128 mdevs, defined and in use by 128 guests. */
export const benchHost = (): HostSpec => {
  const gpus = Array.from({ length: CARDS }, (_, index) => card(index))
  const made = gpus.flatMap((gpu) => gpu.slicing?.state.vgpus ?? [])
  const guests = made.map((one, index) =>
    guest({ name: `instance-${(index + 1).toString(16).padStart(8, '0')}`, mdevs: [one.uuid] }),
  )
  return hostSpec({
    name: 'bench-gpu-01',
    gpus,
    mdevDefinitions: made.map((one) => ({
      uuid: one.uuid,
      parent: one.slot,
      typeId: one.typeId,
      start: 'auto',
    })),
    guests,
    nova: novaSpec({ types: [novaType(MADE_TYPE, { maxInstances: CARDS * FUNCTIONS })] }),
    extras: guests.flatMap((one) => [
      xmlFile(`/run/libvirt/qemu/${one.name}.xml`, liveXml(one)),
      xmlFile(`/etc/libvirt/qemu/${one.name}.xml`, persistentXml(one)),
    ]),
  })
}
