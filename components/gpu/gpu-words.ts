/** Frameworks as they are drawn. An unknown word stays as it is. */
const FRAMEWORK_WORDS: Record<string, string> = {
  mdev: 'mdev',
  'mdev-sriov': 'mdev, SR-IOV',
  'vendor-vfio': 'vendor VFIO',
  passthrough: 'passthrough',
  none: 'none',
}

export const frameworkWords = (framework: string): string => FRAMEWORK_WORDS[framework] ?? framework

/** What stands in a type's place when there is none. */
export const noTypeWords = (framework: string): string =>
  framework === 'passthrough' ? 'whole card' : framework === 'none' ? 'not handed out' : 'no type yet'
