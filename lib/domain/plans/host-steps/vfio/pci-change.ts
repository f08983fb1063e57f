import type { NovaSection } from '@/lib/domain/nova-config/layout/nova-sections'
import type { VfioDraft } from './vfio-draft'

/** The section [pci] of a host before and after. */
export type PciChange = Pick<VfioDraft, 'joined' | 'before' | 'after'> & {
  /** Other sections of the same file, which some tools accept only as one text. */
  sections?: readonly NovaSection[]
}
