/** vfio-pci and its variants for single vendors, which leave a device to guests. */
export const isVfioDriver = (driver: string): boolean => /^(.+[-_])?vfio[-_]pci$/.test(driver)
