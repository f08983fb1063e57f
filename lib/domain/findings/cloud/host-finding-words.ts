import type { FindingCode } from '@/lib/domain/host-findings/codes'

type Words = {
  consequence: string
  nextStep: string
  source: 'hardware' | 'nova.conf' | 'libvirt' | 'agent'
  /** Nothing errs: it is a risk, or a gap of the report. */
  isRisk?: boolean
}

const NO_START = 'nova-compute does not start again with this nova.conf.'
const UNKNOWN = 'Numbers and findings that depend on it are unknown.'

/** What follows from each finding of a host's own facts, and what to do; the finding's detail names the places. */
export const HOST_FINDING_WORDS: Readonly<Record<FindingCode, Words>> = {
  'address-duplicate': {
    consequence: NO_START,
    nextStep: 'Leave the address under one type in device_addresses.',
    source: 'nova.conf',
  },
  'address-malformed': {
    consequence: NO_START,
    nextStep: 'Write the address with its 4-digit domain, like 0000:41:00.0.',
    source: 'nova.conf',
  },
  'address-not-a-parent': {
    consequence: 'Nova ignores the address, and the card gets another type or none.',
    nextStep: 'List the addresses of the mdev parents, on SR-IOV cards those of the VFs.',
    source: 'nova.conf',
  },
  'address-upper-case': {
    consequence: 'The address never matches, and the card gets the default type or none.',
    nextStep: 'Write the address in lower case and restart nova-compute.',
    source: 'nova.conf',
  },
  'address-without-device': {
    consequence:
      'Nova looks for it in vain and says nothing; the card that was meant gets another type or none.',
    nextStep:
      'Correct the address in device_addresses and restart nova-compute, or look why the card is gone.',
    source: 'nova.conf',
  },
  'claimed-twice': {
    consequence: 'A guest that gets the card whole takes every vGPU away.',
    nextStep: 'Take the card out of device_spec, or out of the mdev types.',
    source: 'nova.conf',
  },
  'device-in-two-guests': {
    consequence: 'Only one of the guests can run with the device.',
    nextStep: 'Hard reboot the wrong one through Nova.',
    source: 'libvirt',
  },
  'device-spec-malformed': {
    consequence: NO_START,
    nextStep: 'Write device_spec as a JSON object of texts.',
    source: 'nova.conf',
  },
  'guest-names-missing-mdev': {
    consequence: 'The guest can not start.',
    nextStep: 'Hard reboot it through Nova, or migrate it where its flavor does not ask for resources:VGPU.',
    source: 'libvirt',
  },
  'guests-not-read': {
    consequence: UNKNOWN,
    nextStep: "Give the agent the folders of libvirt's XML and the right to read them.",
    source: 'agent',
    isRisk: true,
  },
  'iommu-group-not-isolated': {
    consequence: 'Servers that are to get the card do not start, or take another card along.',
    nextStep: 'Bind every other member of the group to vfio-pci at boot, or move the card to another slot.',
    source: 'hardware',
  },
  'max-instances-drops-pgpus': {
    consequence: 'Nova leaves whole pGPUs out.',
    nextStep: 'Take max_instances out, or set it to the sum over all pGPUs of the type.',
    source: 'nova.conf',
  },
  'max-instances-too-high': {
    consequence: 'Servers that Placement sends here once the cards are full fail late.',
    nextStep: 'Set max_instances to what fits on the pGPUs of the type.',
    source: 'nova.conf',
  },
  'max-instances-too-low': {
    consequence: 'vGPUs that would fit are not offered.',
    nextStep: 'Set max_instances to what fits on the pGPUs of the type.',
    source: 'nova.conf',
  },
  'mdev-class-without-addresses': {
    consequence: 'Servers start without a vGPU and without an error.',
    nextStep: 'Set device_addresses for the type, or take mdev_class out.',
    source: 'nova.conf',
  },
  'mdev-group-not-enabled': {
    consequence:
      'Nova ignores the group and says nothing; a card that it names gets the default type or none.',
    nextStep: "Name its type in [devices] enabled_mdev_types, correct the group's name, or take it out.",
    source: 'nova.conf',
  },
  'mdev-in-two-guests': {
    consequence: 'Only one of the guests can run with the mdev.',
    nextStep: 'Hard reboot the wrong one through Nova.',
    source: 'libvirt',
  },
  'mdev-without-type': {
    consequence: 'What the mdev takes and blocks is unknown.',
    nextStep:
      'Look at its mdev_type on the host; a driver that is being reloaded leaves such devices behind.',
    source: 'hardware',
  },
  'mixed-types': {
    consequence: 'Flavors need a trait or a resource class to ask for one of the types.',
    nextStep: 'Give each type a trait or a class of its own, or leave one type on the card.',
    source: 'hardware',
    isRisk: true,
  },
  'no-type-configured': {
    consequence: 'Nova offers no vGPU of this card.',
    nextStep: 'Name a type for it in [devices] enabled_mdev_types.',
    source: 'nova.conf',
  },
  'nova-conf-not-read': {
    consequence: UNKNOWN,
    nextStep: 'Tell the agent where the files of nova-compute lie on this host.',
    source: 'agent',
    isRisk: true,
  },
  'old-option-names': {
    consequence: 'A later release may drop the old names.',
    nextStep: 'Rename the options.',
    source: 'nova.conf',
    isRisk: true,
  },
  'option-invalid': {
    consequence: NO_START,
    nextStep: 'Write a value that oslo.config takes.',
    source: 'nova.conf',
  },
  'orphan-mdevs': {
    consequence: 'The card stays on the old type, and servers of the new type get NoValidHost.',
    nextStep: 'Destroy and undefine the orphan mdevs after checking that no guest names them.',
    source: 'hardware',
  },
  'passthrough-driver': {
    consequence: 'A server that holds the card may have lost it, and one that is to get it may not start.',
    nextStep:
      'Bind the card to vfio-pci at boot; where a guest runs with it, stop the guest before anything else uses the card.',
    source: 'hardware',
  },
  'pci-option-misplaced': {
    consequence: 'Nova ignores the line and says nothing.',
    nextStep: 'Move the line below [pci], under its present name.',
    source: 'nova.conf',
  },
  'returning-mdevs': {
    consequence: 'They take their room again, and lock out other types.',
    nextStep: 'Undefine those that are not wanted.',
    source: 'hardware',
  },
  'scan-problems': {
    consequence: UNKNOWN,
    nextStep: 'Let the agent read these places, or tell it where they are.',
    source: 'agent',
    isRisk: true,
  },
  'second-default-dropped': {
    consequence: 'The second type is offered nowhere.',
    nextStep: 'Give it addresses, or take it out.',
    source: 'nova.conf',
  },
  'sriov-over-promise': {
    consequence: 'Servers that Placement sends here once the card is full fail late.',
    nextStep: 'Set max_instances to what fits, or list only as many VFs.',
    source: 'nova.conf',
  },
  'too-few-vfs-listed': {
    consequence: 'The rest of the card is out of reach.',
    nextStep: 'List as many VFs as vGPUs fit.',
    source: 'nova.conf',
  },
  'type-not-supported': {
    consequence: 'Nova logs no error and offers no vGPU of this card.',
    nextStep: 'Name one of the types that the card offers.',
    source: 'nova.conf',
  },
  'used-type-not-configured': {
    consequence: 'New servers get NoValidHost here until the vGPUs of the old type are gone.',
    nextStep: 'Move or delete the servers that hold them, or name the old type again.',
    source: 'nova.conf',
  },
  'vendor-vfio-not-listed': {
    consequence: 'Nova never hands these vGPUs out.',
    nextStep: 'Name the VFs in [pci] device_spec, or write 0 to their current_vgpu_type.',
    source: 'nova.conf',
  },
  'vfs-not-enabled': {
    consequence: 'No vGPU can be made on the card.',
    nextStep: 'Run sriov-manage -e for it while nothing polls the GPU, and at every boot.',
    source: 'hardware',
  },
}
