import type { Flavor } from '../nova/nova-state'
import { type Control, type ControlContext, ControlError } from './control'

/** Mistakes in extra specs that Nova takes without a word, at least before 2.86. */
const SPOILT: Record<string, (trait: string) => Record<string, string>> = {
  suffix: (trait) => ({ 'resources1:VGPU': '1', [`trait:${trait}`]: 'required' }),
  'unknown-trait': () => ({ 'resources:VGPU': '1', 'trait:CUSTOM_NVIDIA_Z9_8Q': 'required' }),
  'no-policy': () => ({ 'resources1:VGPU': '1', 'resources2:VGPU': '1' }),
  'no-integer': () => ({ 'resources:VGPU': 'vgpu:1' }),
  'no-inventory': () => ({ 'resources:CUSTOM_NOWHERE': '1' }),
  ambiguous: () => ({ 'resources:VGPU': '1' }),
  'too-many': () => ({ 'resources:VGPU': '64' }),
}

export const flavorControls = (context: ControlContext) => {
  const { cloud } = context

  const addFlavor: Control = (args = {}) => {
    const kind = args.kind ?? 'suffix'
    const spoil = SPOILT[kind]
    if (spoil === undefined) {
      throw new ControlError(
        `"${kind}" is no kind of mistake: take one of ${Object.keys(SPOILT).join(', ')}.`,
      )
    }
    const trait = [...cloud.placement.customTraits][0] ?? 'CUSTOM_NVIDIA_T4_4Q'
    if (kind === 'unknown-trait') cloud.placement.customTraits.add('CUSTOM_NVIDIA_Z9_8Q')
    if (kind === 'no-inventory') cloud.placement.customClasses.add('CUSTOM_NOWHERE')
    const flavor: Flavor = {
      id: cloud.newUuid(),
      name: args.value ?? `spoilt.${kind}`,
      vcpus: 4,
      memoryMib: 16_384,
      diskGib: 40,
      ephemeralGib: 0,
      swapMib: 0,
      isPublic: true,
      isDisabled: false,
      description: null,
      extraSpecs: spoil(trait),
      projectIds: [],
    }
    cloud.nova.flavors.push(flavor)
    return `flavor ${flavor.name} has ${JSON.stringify(flavor.extraSpecs)}`
  }

  return { addFlavor }
}
