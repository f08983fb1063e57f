const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const parse = (address: string): { domain: string; bus: number; devfn: number } => {
  const match = /^([0-9a-f]{4}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$/.exec(address)
  if (match === null) throw new Error(`"${address}" is no PCI address of the form 0000:18:00.0`)
  const [, domain = '', bus = '', slot = '', fn = ''] = match
  return { domain, bus: Number.parseInt(bus, 16), devfn: Number.parseInt(slot, 16) * 8 + Number(fn) }
}

/** Address of a PF's n-th VF, counted in functions: 0000:41:00.0 with offset 4 gives 41:00.4, 41:00.5, … 41:01.0. */
export const vfAddress = (pf: string, firstVfOffset: number, index: number): string => {
  const { domain, bus, devfn } = parse(pf)
  const at = devfn + firstVfOffset + index
  return `${domain}:${hex(bus + (at >> 8), 2)}:${hex((at >> 3) & 31, 2)}.${at & 7}`
}

/** `00000000:C8:00.0`, as nvidia-smi prints it. */
export const nvidiaSmiAddress = (address: string): string => `0000${address}`.toUpperCase()

/** The parts as libvirt's XML wants them. */
export const libvirtAddress = (address: string): string => {
  const { domain, bus, devfn } = parse(address)
  return `domain='0x${domain}' bus='0x${hex(bus, 2)}' slot='0x${hex(devfn >> 3, 2)}' function='0x${devfn & 7}'`
}
