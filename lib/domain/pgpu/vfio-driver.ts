/** vfio-pci and its variants for single vendors, which leave a device to guests. */
export const isVfioDriver = (driver: string): boolean => /^(.+[-_])?vfio[-_]pci$/.test(driver)

/** Keeps other drivers off a device until libvirt takes it: a VFIO driver, or pci-stub. */
export const isReservedDriver = (driver: string): boolean =>
  isVfioDriver(driver) || /^pci[-_]stub$/.test(driver)
