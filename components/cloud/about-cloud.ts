/** Subjects that stand on no host: what is wrong with the cloud as a whole. */
export const ABOUT_CLOUD = 'cloud,limit,aggregate,trait'
