/** As the first line of the command has it: larger semi-spaces cost 20 MB in each process and are no faster. */
export const nodeOptions = ['--max-semi-space-size=4'];
