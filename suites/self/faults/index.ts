// Broken servers: each row breaks a good server in one way and names the requirements that must fail, and no others.
import { generalFaults } from './general.js';
import type { Fault } from './parts.js';
import { validationFaults } from './validation.js';
import { validationFieldFaults } from './validationFields.js';

/** Every broken server. */
export const faults: readonly Fault[] = [...generalFaults, ...validationFaults, ...validationFieldFaults];
