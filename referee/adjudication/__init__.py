"""What the referee decides beside the rules: lifecycle, clocks, strikes, rejections, terminations; pure."""
