"""Building `forces`, their `parity`, `scenarios`, and the random battle. The forces themselves lie beside the code."""
