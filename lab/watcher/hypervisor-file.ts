import * as z from 'zod'

const hypervisorSchema = z.object({
  guests: z.array(
    z.object({
      uuid: z.string(),
      name: z.string(),
      isRunning: z.boolean(),
      vcpus: z.int(),
      memoryMib: z.int(),
      mdevs: z.array(z.string()),
      /** Addresses of the devices that Nova assigned through `[pci] device_spec`. */
      pciDevices: z.array(z.string()).default([]),
      /** As Nova wrote it. */
      xml: z.string(),
    }),
  ),
  mdevs: z.array(
    z.object({
      uuid: z.string(),
      type_id: z.string(),
      /** libvirt's name of the device: `pci_0000_84_00_0`. */
      parent: z.string(),
      persistent: z.boolean(),
      autostart: z.boolean(),
      active: z.boolean(),
    }),
  ),
})

/** What the fake libvirt of one host holds, as nova-compute's process writes it. */
export type Hypervisor = z.infer<typeof hypervisorSchema>

export const EMPTY_HYPERVISOR: Hypervisor = { guests: [], mdevs: [] }

export const parseHypervisor = (text: string): Hypervisor => hypervisorSchema.parse(JSON.parse(text))

/** `pci_0000_84_00_0` is 0000:84:00.0. */
export const addressOfDevice = (name: string): string => {
  const [, domain, bus, slot, fn] = name.split('_')
  return `${domain}:${bus}:${slot}.${fn}`
}
